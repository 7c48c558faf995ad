import type { DocumentPhysician, RequisitionInput } from './document-inputs.ts'
import { consentWords, dateWords, fullName } from './document-words.ts'
import { type Block, stackBlock, textBlock } from './layout/block.ts'
import { renderHeading, renderRule } from './layout/section.ts'
import { renderElement, type Sheet } from './layout/sheet.ts'
import { renderTableSection } from './layout/table.ts'
import { STYLES } from './layout/text-styles.ts'
import { readSignatureImage } from './signature-image.ts'

const SIGNATURE_WIDTH = 230
const SIGNATURE_HEIGHT = 44

export function renderConsents(sheet: Sheet, { consents }: RequisitionInput): void {
  if (consents.length === 0) return
  const columns = [
    { title: 'Consent', width: 0 },
    { title: 'Version', width: 108 },
    { title: 'Given on', width: 108 },
  ]
  const rows = consents.map(({ consentType, version, timeOfConsent }) => ({
    cells: [consentWords(consentType), version, dateWords(timeOfConsent)],
  }))
  renderTableSection(sheet, 'Consents of the patient', columns, rows)
}

/** Renders the physician's signature as an image if possible, or as text. */
export function renderSignature(sheet: Sheet, { physician, orderedOn }: RequisitionInput): void {
  if (physician === null) return
  const image = signatureOf(physician)
  const signer = signerBlock(sheet, physician, orderedOn, image === null)
  renderHeading(sheet, 'Signature', SIGNATURE_HEIGHT + signer.height + 12)
  if (image !== null) {
    const box = [SIGNATURE_WIDTH, SIGNATURE_HEIGHT] as [number, number]
    renderElement(
      sheet,
      'Figure',
      () => sheet.doc.image(image, sheet.left, sheet.y, { fit: box, valign: 'bottom' }),
      { alt: 'Signature of the ordering physician' },
    )
    sheet.y += SIGNATURE_HEIGHT + 3
    renderRule(sheet, sheet.y, { width: SIGNATURE_WIDTH })
    sheet.y += 4
  }
  signer.render(sheet.left, sheet.y)
  sheet.y += signer.height
}

function signatureOf({ signature_image }: DocumentPhysician): Buffer | null {
  if (signature_image === null || signature_image === undefined) return null
  const image = readSignatureImage(signature_image)
  return 'bytes' in image ? image.bytes : null
}

function signerBlock(
  sheet: Sheet,
  physician: DocumentPhysician,
  orderedOn: string,
  isElectronic: boolean,
): Block {
  const name = fullName(physician)
  const facts = `NPI ${physician.npi}  ·  ${dateWords(orderedOn)}`
  return stackBlock([
    textBlock(
      sheet,
      isElectronic ? `Electronically signed by ${name}` : name,
      STYLES.strong,
      sheet.width,
    ),
    textBlock(sheet, facts, STYLES.small, sheet.width),
  ])
}
