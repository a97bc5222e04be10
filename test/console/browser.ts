// Chromium for the tests of the console: finds or installs it, opens pages, and reports what a page must never do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const candidates = [
  process.env.ORCH_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

function findChromium(): string {
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (found) return found;
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'ignore' });
  if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium';
  throw new Error('Chromium is missing: install it, or name it in ORCH_CHROMIUM');
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How long a page may take to show something; generous, because the machine may be loaded. */
const timeoutMs = 20_000;

export class TestBrowser {
  #browser: Browser | undefined;
  /** Errors and violations of the Content-Security-Policy in any page. */
  readonly problems: string[] = [];

  constructor() {
    before(async () => {
      this.#browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    });
    after(async () => {
      await this.#browser?.close();
      assert.deepEqual(this.problems, []);
    });
  }

  async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser!.newContext({
      viewport: { width: 1280, height: 800 },
      ignoreHTTPSErrors: true,
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(timeoutMs);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.problems.push(`${page.url()}: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) this.problems.push(message.text());
    });
    await page.goto(url);
    return page;
  }
}

/** Fails if axe finds a violation of WCAG 2.2 A or AA in the page. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is in the page.
    const results = await (globalThis as any).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    });
    return results.violations.map(
      ({
        id,
        help,
        nodes,
      }: {
        id: string;
        help: string;
        nodes: { html: string; failureSummary: string }[];
      }) =>
        `${id}: ${help}\n${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`)
          .join('\n')}`,
    ) as string[];
  });
  assert.deepEqual(violations, []);
}
