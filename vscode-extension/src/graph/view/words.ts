/** Measures words as the page's font draws them, and shortens those that have not enough room. */
const FAMILY = getComputedStyle(document.body).fontFamily;

/** More of a text than this is on no card. */
const MOST_LETTERS = 200;

const context = document.createElement("canvas").getContext("2d");

export function widthOf(text: string, font: string): number {
  if (context === null) {
    return 0;
  }
  context.font = `${font} ${FAMILY}`;
  return context.measureText(text).width;
}

/** As much of a text as fits into a width in pixels. */
export function fitted(text: string, width: number, font: string): string {
  if (widthOf(text, font) <= width) {
    return text;
  }
  const letters = Array.from(new Intl.Segmenter().segment(text.slice(0, MOST_LETTERS)), ({ segment }) => segment);
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (widthOf(`${letters.slice(0, middle).join("")}…`, font) <= width) {
      fits = middle;
    } else {
      tooLong = middle;
    }
  }
  return `${letters.slice(0, fits).join("")}…`;
}
