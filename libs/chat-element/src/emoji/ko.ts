import emoji from 'emojibase-data/ko/data.json';
import messages from 'emojibase-data/ko/messages.json';
import { emojiSet } from './emoji-set';

export default emojiSet(emoji, messages);
