/** The child of `parent` that contains `node`. Null if there is none. */
function childAround(parent: Node, node: Node): Node | null {
  for (let at: Node | null = node; at !== null; at = at.parentNode) if (at.parentNode === parent) return at;
  return null;
}

/**
 * Makes React work with page translators. They wrap the texts of a page in <font> elements or replace them by copies.
 * React then asks to remove a text, or to insert before a text, that is no longer a child of its element, and the whole
 * page breaks. With this patch the operation applies to the wrapping element, and it does nothing for a text that is
 * gone. Any other misuse fails as before.
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
