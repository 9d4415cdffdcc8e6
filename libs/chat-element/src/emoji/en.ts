import emoji from 'emojibase-data/en/data.json';
import messages from 'emojibase-data/en/messages.json';
import { emojiSet } from './emoji-set';

export default emojiSet(emoji, messages);
