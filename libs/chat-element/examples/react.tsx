import { WaggleChat, WaggleComposer, WaggleConversationList } from '@waggle/chat-element/react';
import * as React from 'react';
import { createRoot } from 'react-dom/client';

const server = 'https://chat.example';

/** Parts by themselves: they share the session and the connection of their service. */
function Parts(): React.JSX.Element {
  const [id, setId] = React.useState<string>();
  return (
    <>
      <WaggleConversationList
        server={server}
        selected={id}
        onConversationSelected={({ detail }) => {
          setId(detail.id);
        }}
      />
      {id !== undefined && <WaggleComposer server={server} conversation={id} />}
    </>
  );
}

function Page(): React.JSX.Element {
  const [unread, setUnread] = React.useState(0);
  return (
    <>
      <h1>Chat ({unread})</h1>
      <WaggleChat
        server={server}
        theme="dark"
        style={{ height: 600 }}
        onUnreadChanged={({ detail }) => {
          setUnread(detail.count);
        }}
      />
      <Parts />
    </>
  );
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Page />);
