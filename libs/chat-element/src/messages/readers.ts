import type { ChatData, ChatMessage, ConversationData } from '../store/chat-data';

/** Returns who has read an own message, as far as it is known. */
export function readersOf(
  message: ChatMessage,
  { id, type, receiptSeq, members }: ConversationData,
  { account, receipts }: Pick<ChatData, 'account' | 'receipts'>,
): readonly string[] {
  const others = members.filter((member) => member !== account);
  if (type === 'dm') return message.read || message.seq <= receiptSeq ? others : [];
  const seqs = receipts.get(id);
  return seqs === undefined ? [] : others.filter((member) => (seqs.get(member) ?? -1) >= message.seq);
}
