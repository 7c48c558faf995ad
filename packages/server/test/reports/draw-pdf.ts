/** Of the patient. */
export const NAME = 'Zebediah'
/** Of one result. */
export const VALUE = '137.25'

const LINES = [
  'Example Clinical Laboratory',
  `Patient: ${NAME} Moreau   Date of birth: 1990-04-12`,
  ['Test', 'Result', 'Unit', 'Reference range'],
  ['Glucose', VALUE, 'mg/dL', '65 - 99'],
  ['Sodium', '140', 'mmol/L', '135 - 145'],
  ['Potassium', '4.1', 'mmol/L', '3.5 - 5.1'],
  ['Chloride', '103', 'mmol/L', '98 - 107'],
]

/**
 * A report with a text layer, the same page again and again.
 * @param entries further ones of its trailer
 */
export function drawPdf(pages: number, entries = ''): Buffer {
  const content = LINES.map((line, row) =>
    (typeof line === 'string' ? [line] : line)
      .map(
        (text, column) => `BT /F 11 Tf ${50 + 130 * column} ${740 - 24 * row} Td (${text}) Tj ET`,
      )
      .join('\n'),
  ).join('\n')
  const kids = Array.from({ length: pages }, (_, index) => `${10 + index} 0 R`)
  const objects = [
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    `2 0 obj <</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>> endobj`,
    '3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj',
    `4 0 obj <</Length ${content.length}>>\nstream\n${content}\nendstream endobj`,
    // For a trailer that says it is encrypted.
    '9 0 obj <</Filter/Standard/V 5/R 6/O<00>/U<00>>> endobj',
    ...kids.map(
      (_, index) =>
        `${10 + index} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>>> endobj`,
    ),
  ]
  // Without a table of its objects, which readers of PDF make themselves.
  return Buffer.from(`%PDF-1.7\n${objects.join('\n')}\ntrailer <</Root 1 0 R${entries}>>\n%%EOF\n`)
}
