import { runMain } from '@waggle/service';
import { runImport } from './import/import-command';

// Imports conversations of another chat:
// `node dist/import.main.js --accounts accounts.csv mattermost import.jsonl`, or
// `… rocketchat rooms.json subscriptions.json messages.json`.
runMain(async () => {
  const { report, text } = await runImport(process.argv.slice(2), process.env);
  console.log(text);
  if (!report.isComplete || report.problems > 0) process.exitCode = 1;
});
