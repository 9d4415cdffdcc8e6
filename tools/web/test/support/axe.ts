import { readFileSync } from 'node:fs';
import { type Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Violations of WCAG 2.2 AA and of axe-core's best practices on the page, each as `rule: elements`. axe-core runs in an
 * isolated world, which the page's own policy does not restrict.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
    });
    await session.send('Runtime.evaluate', { contextId, expression: axe });
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      contextId,
      awaitPromise: true,
      returnByValue: true,
      expression: `axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' ')))`,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    const violations: unknown = result.value;
    return Array.isArray(violations) ? violations.map(String) : [];
  } finally {
    await session.detach();
  }
}
