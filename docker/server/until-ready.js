// Ends when the instance on the port of 127.0.0.1 is ready, and fails when the main process of its unit has ended.
// systemd passes the id of that process as MAINPID, and limits how long the start may take.
const port = process.argv[2];
const mainPid = Number(process.env.MAINPID);
const isReady = () =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
const isRunning = () => {
  try {
    return process.kill(mainPid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
};
const poll = async () => {
  while (!(await isReady())) {
    if (mainPid > 0 && !isRunning()) {
      console.error(`The instance on port ${port} ended before it was ready. Read: journalctl -u waggle-chat@${port}`);
      process.exitCode = 1;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};
void poll();
