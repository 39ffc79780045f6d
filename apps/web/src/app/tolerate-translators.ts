/** The child of `parent` that contains `node`; null when none does. */
function childAround(parent: Node, node: Node): Node | null {
  for (let at: Node | null = node; at !== null; at = at.parentNode) if (at.parentNode === parent) return at;
  return null;
}

/**
 * Page translators put the texts of a page into <font> elements, or put copies in their place. React then asks to remove
 * or to insert before a text that is no longer a child of its element, and the whole page breaks. Here the element around
 * the text stands for it, and a text that is gone for nothing. Any other misuse fails as before.
 */
export function tolerateTranslators(): void {
  const { removeChild, insertBefore } = Node.prototype;
  const isReplaced = (node: Node) => node.nodeType === Node.TEXT_NODE && node.parentNode === null;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (isReplaced(child)) return child;
    removeChild.call(this, childAround(this, child) ?? child);
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, node: Child, before: Node | null): Child {
    const next = before === null || isReplaced(before) ? null : (childAround(this, before) ?? before);
    insertBefore.call(this, node, next);
    return node;
  };
}
