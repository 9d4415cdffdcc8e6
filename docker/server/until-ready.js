// Ends when the instance on the port of 127.0.0.1 is ready. systemd limits how long that may take.
const url = `http://127.0.0.1:${process.argv[2]}/health/ready`;
const isReady = () =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
const poll = async () => {
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 200));
};
void poll();
