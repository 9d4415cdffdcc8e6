import { useChat, useConversation, useUnread, WaggleSignIn } from '@waggle/chat-element/react';
import * as React from 'react';
import { createRoot } from 'react-dom/client';

const server = 'https://chat.example';

/** A chat with the page's own elements. */
function Page(): React.JSX.Element {
  const { phase, account, conversations, client } = useChat(server);
  const unread = useUnread(server);
  const [id, setId] = React.useState<string>();
  if (phase === 'signed-out') return <WaggleSignIn server={server} />;
  return (
    <>
      <h1>
        {account} ({unread})
      </h1>
      <button onClick={() => void client?.signOut()}>Sign out</button>
      <ul>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <button onClick={() => setId(conversation.id)}>
              {conversation.name ?? conversation.members.join(', ')}
            </button>
          </li>
        ))}
      </ul>
      {id !== undefined && <Messages id={id} />}
    </>
  );
}

function Messages({ id }: { id: string }): React.JSX.Element {
  const { messages, outgoing, hasOlder, loadOlder, hasNewer, loadNewer, send, markRead } = useConversation(id, server);
  React.useEffect(markRead, [messages.at(-1)?.id]);
  return (
    <section>
      {hasOlder && <button onClick={loadOlder}>Older messages</button>}
      <ol>
        {messages.map((message) => (
          <li key={message.id}>
            {message.from}: {message.content}
          </li>
        ))}
        {outgoing.map(({ clientId, text, failure }) => (
          <li key={clientId}>
            {text} ({failure ?? 'sending'})
          </li>
        ))}
      </ol>
      {hasNewer && <button onClick={loadNewer}>Newer messages</button>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.elements.namedItem('text');
          if (!(field instanceof HTMLInputElement)) return;
          if (send(field.value)) field.value = '';
        }}
      >
        <input name="text" aria-label="Message" />
        <button>Send</button>
      </form>
    </section>
  );
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Page />);
