/** Writes the counts and failures of a run into the folder that `npm test` reads. */
const { writeFileSync } = require('node:fs');
const path = require('node:path');

module.exports = class JestTotals {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
    const folder = process.env.WAGGLE_TEST_TOTALS;
    if (folder === undefined) return;
    const failures = testResults
      .filter(({ failureMessage }) => failureMessage)
      .map(({ testFilePath, failureMessage }) => ({ file: testFilePath, message: failureMessage }));
    // A test file that could not be loaded counts as a failure, although none of its tests failed.
    const totals = { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, failures };
    writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(totals));
  }
};
