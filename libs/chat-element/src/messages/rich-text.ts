import type { Mention } from '@waggle/client/browser';
import { html, nothing, type TemplateResult } from 'lit';
import { type Block, parseMarkdown } from '../text/markdown';
import { type Mark } from '../text/emphasis';
import { type Run } from '../text/markdown-inline';

/** What moderators write to mention all members. */
const everybody: ReadonlySet<string> = new Set(['all', 'here']);

type Content = string | TemplateResult | Content[];

const marked: Record<Mark, (content: Content) => TemplateResult> = {
  strong: (content) => html`<strong>${content}</strong>`,
  em: (content) => html`<em>${content}</em>`,
  del: (content) => html`<del>${content}</del>`,
};

/** The class of a link to an account: whether the message mentions it, and whether that is the reader. */
type MentionClass = (account: string) => 'mention' | 'mention own' | undefined;

/**
 * The text of a message with its marks and links. HTML in it stays text.
 *
 * @param mentions in the text; other names of accounts are only links
 * @param reader the account that reads it
 */
export function richText(text: string, profiles: string, mentions: readonly Mention[] = [], reader = ''): Content {
  const classOf: MentionClass = (account) => {
    const isEverybody = everybody.has(account) && mentions.some(({ username }) => username === null);
    if (!isEverybody && !mentions.some(({ username }) => username === account)) return undefined;
    return isEverybody || account === reader ? 'mention own' : 'mention';
  };
  return blocksTemplate(parseMarkdown(text, profiles), classOf);
}

/** A text alone needs no element of its own. */
function blocksTemplate(blocks: readonly Block[], classOf: MentionClass): Content {
  const [first] = blocks;
  return blocks.length === 1 && first?.type === 'text'
    ? runsTemplate(first.runs, classOf)
    : blocks.map((block) => blockTemplate(block, classOf));
}

function blockTemplate(block: Block, classOf: MentionClass): TemplateResult {
  if (block.type === 'text') return html`<p dir="auto">${runsTemplate(block.runs, classOf)}</p>`;
  if (block.type === 'code') return html`<pre dir="ltr"><code>${block.text}</code></pre>`;
  if (block.type === 'quote') return html`<blockquote dir="auto">${blocksTemplate(block.blocks, classOf)}</blockquote>`;
  const items = block.items.map(
    ({ value, blocks }) => html`<li value=${value ?? nothing}>${blocksTemplate(blocks, classOf)}</li>`,
  );
  return block.items[0]?.value === undefined
    ? html`<ul dir="auto">
        ${items}
      </ul>`
    : html`<ol dir="auto">
        ${items}
      </ol>`;
}

function runsTemplate(runs: readonly Run[], classOf: MentionClass): Content {
  return runs.map((run) => {
    const content = run.isCode ? html`<code dir="auto">${run.text}</code>` : linkOrText(run, classOf);
    return run.marks.reduce<Content>((inner, mark) => marked[mark](inner), content);
  });
}

function linkOrText({ text, href, account, community, label }: Run, classOf: MentionClass): Content {
  if (href === undefined) return text;
  const mentionClass = account === undefined ? undefined : classOf(account);
  // Not an account, although it is written like one.
  if (mentionClass !== undefined && everybody.has(account ?? '')) return html`<span class="mention own">${text}</span>`;
  // `dir` keeps the characters around the link from reversing it.
  return html`<a
    class=${mentionClass ?? nothing}
    href=${href}
    dir=${label === undefined ? 'ltr' : 'auto'}
    title=${href}
    target="_blank"
    rel="noopener noreferrer nofollow"
    data-account=${account ?? nothing}
    data-community=${community ?? nothing}
    >${label === undefined ? text : labelTemplate(label, href, classOf)}</a
  >`;
}

/** Shows the host, too: the label may promise another one. */
function labelTemplate(label: readonly Run[], href: string, classOf: MentionClass): TemplateResult {
  const { host } = new URL(href);
  return html`<bdi>${runsTemplate(label, classOf)}</bdi> <bdi class="host" dir="ltr">(${host})</bdi>`;
}
