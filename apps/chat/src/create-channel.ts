// The former name of this command, which deployments use.
import './create-channel.main';
