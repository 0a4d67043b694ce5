import { SaxesParser } from "saxes";

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  /** The text of the element, without that of its children. */
  text: string;
  readonly children: XmlElement[];
}

/** The root element of a document. Throws when the document is not well-formed, or uses an undeclared namespace. */
export function parsedXml(document: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: XmlElement[] = [{ name: "", text: "", children: [] }];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    const element = { name, text: "", children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(document).close();
  const [root] = open[0]?.children ?? [];
  if (!root) throw new Error("The document has no root element.");
  return root;
}

/** The texts of all elements of a name in an element, at any depth. */
export const textsOf = (element: XmlElement, name: string): string[] => [
  ...(element.name === name ? [element.text] : []),
  ...element.children.flatMap((child) => textsOf(child, name)),
];

/** The texts of an element's children by name. If several children have the same name, their texts are a list. */
export const membersOfXml = ({ children }: XmlElement): Record<string, string | string[]> =>
  Object.fromEntries(
    [...Map.groupBy(children, ({ name }) => name)].map(([name, same]) => {
      const [only, ...others] = same.map(({ text }) => text);
      return [name, others.length > 0 ? [only ?? "", ...others] : (only ?? "")];
    }),
  );

/** The items of a product feed, by id. */
export const feedItemsOf = (feed: string): Map<string, Record<string, string | string[]>> =>
  new Map(
    (parsedXml(feed).children[0]?.children ?? [])
      .filter(({ name }) => name === "item")
      .map((item) => {
        const members = membersOfXml(item);
        return [String(members["g:id"]), members];
      }),
  );
