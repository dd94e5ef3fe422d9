// Helpers for elements of the page.

const SVG = "http://www.w3.org/2000/svg";

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** An element with properties and children; texts become text. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** An element of a drawing. */
export function svgElement(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Scroll a list, and only the list, until one of its items is seen completely. */
export function keepInSight(list, item) {
  const [wanted, seen] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  const middle = (seen.height - wanted.height) / 2;
  if (wanted.top < seen.top || wanted.bottom > seen.bottom) list.scrollTop += wanted.top - seen.top - middle;
}
