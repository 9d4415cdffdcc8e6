import { BackgroundTask } from './background-task';

const failures = { log: jest.fn() };

it('repeats a step, also after it failed, until the step ends the task', async () => {
  const step = jest
    .fn<Promise<number | undefined>, []>()
    .mockResolvedValueOnce(0)
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValueOnce(undefined);
  await new BackgroundTask(step, failures, 0).start();
  expect(step).toHaveBeenCalledTimes(3);
  expect(failures.log.mock.calls).toEqual([[new Error('no')]]);
});

it('ends during a pause when it is stopped', async () => {
  const step = jest.fn<Promise<number>, []>();
  const task = new BackgroundTask(step, failures, 0);
  void task.start(60_000);
  await task.stop();
  expect(step).not.toHaveBeenCalled();
});
