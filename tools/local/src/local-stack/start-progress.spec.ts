import { StartProgress } from './start-progress';

const written = (isTTY: boolean, show: (progress: StartProgress) => void) => {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  show(new StartProgress({ isTTY, columns: 60, write }, 4));
  // The codes that clear a line, as a reader can see them.
  return text.replaceAll('\r\u001b[2K', '<');
};

function start(progress: StartProgress): void {
  progress.begin('Starting PostgreSQL  1 of 4 steSQL');
  progress.begin('Starting the chat  2 of 4 stepst');
  progress.print('chat | a warning');
  progress.end();
  progress.print('Ready.');
}

it('shows a bar below the lines of a terminal, and removes it', () => {
  expect(written(true, start)).toBe(
    [
      '<[------------------------]  Starting PostgreSQL  1 of 4 ste',
      '<[######------------------]  Starting the chat  2 of 4 steps',
      '<chat | a warning\n[######------------------]  Starting the chat  2 of 4 steps',
      '<Ready.\n',
    ].join(''),
  );
});

it('shows a line for each step elsewhere', () => {
  expect(written(false, start)).toBe(
    'Starting PostgreSQL  1 of 4 steSQL.\nStarting the chat  2 of 4 stepst.\nchat | a warning\nReady.\n',
  );
});
