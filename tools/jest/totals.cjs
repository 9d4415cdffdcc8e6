/** A Jest reporter that leaves the counts of a run, and what failed, where `npm test` adds them up. */
const { writeFileSync } = require('node:fs');
const path = require('node:path');

module.exports = class JestTotals {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
    const folder = process.env.WAGGLE_TEST_TOTALS;
    if (folder === undefined) return;
    const failures = testResults
      .filter(({ failureMessage }) => failureMessage)
      .map(({ testFilePath, failureMessage }) => ({ file: testFilePath, message: failureMessage }));
    // A test file that could not even be read has failed, though none of its tests has.
    const totals = { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, failures };
    writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(totals));
  }
};
