import emoji from 'emojibase-data/es/data.json';
import messages from 'emojibase-data/es/messages.json';
import { emojiSet } from './emoji-set';

export default emojiSet(emoji, messages);
