"use client";
import { memo, type ReactNode } from "react";
import Render, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block.tsx";
import { markdownBlocks } from "./model/markdown-blocks.ts";

const isWebLink = (href: unknown): href is string => typeof href === "string" && /^https?:\/\//i.test(href);

/** A heading of the agent keeps its size; in the page's outline all of them stand right below the title. */
const Heading = ({ node, children }: { node?: { tagName: string } | undefined; children?: ReactNode }): ReactNode => (
  <h2 data-level={node?.tagName.slice(1)}>{children}</h2>
);

type Node = { type: string; value?: string; children?: readonly Node[] };
const textIn = ({ value = "", children = [] }: Node): string => value + children.map(textIn).join("");

/** Links lead to the web only; an image is never fetched, it becomes a link to itself. */
const components: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href, children }) =>
    isWebLink(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) =>
    isWebLink(src) ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow">
        {alt || src}
      </a>
    ) : (
      <span>{alt}</span>
    ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard
    <section className="table-box" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
  pre: ({ node, children }) => <CodeBlock text={node ? textIn(node) : ""}>{children}</CodeBlock>,
  input: ({ checked }) => (
    <input type="checkbox" checked={checked ?? false} readOnly disabled className="mr-1 align-middle" aria-label="Item" />
  ),
};

const keptBlocks = 2_000;
const parsed = new Map<string, ReactNode>();

/** The elements of one block. Finished blocks are parsed once, also when their row leaves the screen and comes back. */
function elementsOf(block: string): ReactNode {
  const known = parsed.get(block);
  if (known !== undefined) return known;
  const elements = Render({ children: block, remarkPlugins: [remarkGfm], rehypePlugins: [rehypeSanitize], components, skipHtml: true });
  if (parsed.size >= keptBlocks) parsed.delete(parsed.keys().next().value ?? "");
  parsed.set(block, elements);
  return elements;
}

const Block = memo(({ text }: { text: string }): ReactNode => elementsOf(text));

/** Markdown of the agent, without raw HTML. A growing text parses only its last block again. */
export const Markdown = memo(({ text }: { text: string }): ReactNode => {
  const blocks = markdownBlocks(text);
  return (
    <div className="prose-agent">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end
        <Block key={at} text={block} />
      ))}
    </div>
  );
});
