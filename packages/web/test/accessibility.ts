import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Colors that are on their way are no colors of the page. What waits moves for ever, and is not
 * waited for. Chromium now and then never ends an animation, so the wait has a limit.
 */
const SETTLE = `Promise.race([
  Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished)),
  new Promise((resolve) => setTimeout(resolve, 2_000)),
])`

/** The rules that look at colors: all others find in dark what they found in light. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Rules of WCAG 2.2 A and AA and of good practice that the page breaks, in light and dark. */
export async function findViolations(page: Page): Promise<string[]> {
  // By the debugger, which the content security policy of the page does not bind.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(`${axe.source}; undefined`)
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(SETTLE)
    const options = {
      resultTypes: ['violations'],
      ...(colorScheme === 'dark' && { runOnly: COLOR_RULES }),
    }
    const violations = await page.evaluate(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    )
    found.push(...(violations as string[]).map((text) => `${colorScheme}: ${text}`))
  }
  return found
}
