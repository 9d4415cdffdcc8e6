// Loaded into a server with --require and --expose-gc, so that its resident memory can be measured without garbage.
process.on('SIGUSR2', () => {
  // Finalizers of the first run can release more memory.
  for (let run = 0; run < 2; run += 1) globalThis.gc?.();
  process.stdout.write('garbage collected\n');
});
