// The former name of this command, which deployments use.
import './migrate.main';
