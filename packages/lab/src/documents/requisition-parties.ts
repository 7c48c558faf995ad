import type {
  DocumentAddress,
  DocumentGuarantor,
  DocumentInsurance,
  DocumentPatient,
  RequisitionInput,
} from './document-inputs.ts'
import {
  addressLines,
  dateWords,
  filedName,
  fullName,
  phoneWords,
  sexWords,
} from './document-words.ts'
import {
  type Block,
  columnsBlock,
  columnWidth,
  labelledBlock,
  renderBlock,
  stackBlock,
  textBlock,
} from './layout/block.ts'
import { renderHeading, renderSection } from './layout/section.ts'
import { ensureRoom, renderElement, type Sheet } from './layout/sheet.ts'
import { fitWords } from './layout/text.ts'
import { STYLES } from './layout/text-styles.ts'
import { readSignatureImage } from './signature-image.ts'

const GAP = 28
const GAP_ABOVE = 16

/** Renders the patient on the left, and the account and the physician on the right. */
export function renderParties(sheet: Sheet, input: RequisitionInput): void {
  const width = columnWidth(sheet.width, 2, GAP)
  const left = patientBlock(sheet, input, width)
  const right = stackBlock(
    [accountBlock(sheet, input, width), physicianBlock(sheet, input, width)],
    13,
  )
  ensureRoom(sheet, GAP_ABOVE + Math.max(left.height, right.height))
  sheet.y += GAP_ABOVE
  renderBlock(sheet, columnsBlock([left, right], width, GAP))
}

/** Returns a block with a heading, a name and further lines. */
function party(
  sheet: Sheet,
  width: number,
  title: string,
  name: string | null,
  blocks: (Block | null)[],
): Block {
  const heading = textBlock(sheet, title, STYLES.heading, width, { type: 'H2' })
  const style = name === null ? STYLES.name : fitWords(sheet, name, STYLES.name, width)
  const nameBlock = name === null ? null : textBlock(sheet, name, style, width)
  return stackBlock([heading, stackBlock([nameBlock, ...blocks], 5)], 3)
}

function patientBlock(sheet: Sheet, input: RequisitionInput, width: number): Block {
  const { patient, patientAddress } = input
  const phone = patient.phone_number ?? ''
  const facts = [
    labelledBlock(sheet, 'Date of birth', dateWords(patient.dob), 72, STYLES.strong),
    labelledBlock(sheet, 'Sex', sexWords(patient.gender), 52, STYLES.strong),
    labelledBlock(sheet, 'Phone', phoneWords(phone), width - 148),
  ]
  return party(sheet, width, 'Patient', filedName(patient) || 'Name not given', [
    columnsBlock(facts, [72, 52, width - 148], 12),
    labelledBlock(sheet, 'Email', patient.email, width),
    labelledBlock(sheet, 'Address', addressText(patientAddress), width),
    labelledBlock(sheet, 'Medical proxy', guarantorText(patient.medical_proxy), width),
  ])
}

function accountBlock(sheet: Sheet, { account }: RequisitionInput, width: number): Block {
  return party(sheet, width, 'Account', account.name, [
    labelledBlock(sheet, 'Account number', account.number, width, STYLES.strong),
    labelledBlock(sheet, 'Address', addressText(account.address), width),
  ])
}

function physicianBlock(
  sheet: Sheet,
  { physician }: RequisitionInput,
  width: number,
): Block | null {
  if (physician === null) return null
  return party(sheet, width, 'Ordering physician', fullName(physician), [
    labelledBlock(sheet, 'NPI', physician.npi, width, STYLES.strong),
  ])
}

function addressText(address: DocumentAddress | null): string | null {
  return address === null ? null : addressLines(address).join('\n')
}

/** Returns a person responsible for the patient in a few lines. */
function guarantorText(person: DocumentGuarantor | null | undefined): string | null {
  if (person === null || person === undefined) return null
  return lines(
    fullName(person),
    ...addressLines(person.address),
    phoneWords(person.phone_number),
    person.email,
  )
}

const lines = (...texts: (string | null | undefined)[]): string =>
  texts.filter((text) => text !== null && text !== undefined && text !== '').join('\n')

/** Renders the payer if it is not the account: the insurance, or the responsible person. */
export function renderPayment(sheet: Sheet, input: RequisitionInput): void {
  if (input.insurance !== null) {
    renderSection(sheet, 'Insurance', insuranceBlock(sheet, input.insurance))
  } else if (input.billingType.startsWith('patient_bill')) {
    renderSection(sheet, 'Responsible party', responsibleBlock(sheet, input))
  }
}

function responsibleBlock(sheet: Sheet, { patient, patientAddress }: RequisitionInput): Block {
  const proxy = patient.medical_proxy ?? null
  return proxy === null
    ? payerBlock(sheet, 'Patient', { ...patient, email: null, address: patientAddress })
    : payerBlock(sheet, 'Medical proxy', { ...proxy, email: null })
}

type Payer = Pick<DocumentPatient, 'first_name' | 'last_name' | 'phone_number' | 'email'> & {
  address: DocumentAddress | null
}

/** Returns a block with a person beside the address and contact data. */
function payerBlock(sheet: Sheet, title: string, person: Payer): Block {
  const width = columnWidth(sheet.width, 3, 20)
  const contact = lines(phoneWords(person.phone_number ?? ''), person.email)
  const blocks = [
    labelledBlock(sheet, title, fullName(person), width),
    labelledBlock(sheet, 'Address', addressText(person.address), width),
    labelledBlock(sheet, 'Phone', contact, width),
  ]
  return columnsBlock(blocks, width, 20)
}

const CARD_HEIGHT = 140

/** Renders the sides of the insurance card beside each other. */
export function renderInsuranceImages(sheet: Sheet, input: RequisitionInput): void {
  const images = input.insuranceImages.flatMap((given) => {
    const image = readSignatureImage(given)
    return 'bytes' in image ? image.bytes : []
  })
  if (images.length === 0) return
  const width = columnWidth(sheet.width, 2, GAP)
  renderHeading(sheet, 'Insurance card', CARD_HEIGHT)
  images.slice(0, 2).forEach((image, index) => {
    const x = sheet.left + index * (width + GAP)
    const fit = [width, CARD_HEIGHT] as [number, number]
    const render = () => sheet.doc.image(image, x, sheet.y, { fit })
    renderElement(sheet, 'Figure', render, { alt: `Insurance card, side ${index + 1}` })
  })
  sheet.y += CARD_HEIGHT
}

function insuranceBlock(sheet: Sheet, insurance: DocumentInsurance): Block {
  const width = columnWidth(sheet.width, 3, 20)
  const { company, insured } = insurance
  const policy = stackBlock(
    [
      labelledBlock(sheet, 'Insurer', lines(company.name, addressText(company.address)), width),
      labelledBlock(sheet, 'Payor code', insurance.payor_code, width),
    ],
    5,
  )
  const member = stackBlock(
    [
      labelledBlock(sheet, 'Member number', insurance.member_id, width, STYLES.strong),
      labelledBlock(sheet, 'Group number', insurance.group_id, width),
      labelledBlock(sheet, 'Relationship to the insured', insurance.relationship, width),
    ],
    5,
  )
  const person = lines(
    fullName(insured),
    `Born ${dateWords(insured.dob)}, ${sexWords(insured.gender).toLowerCase()}`,
    ...addressLines(insured.address),
    phoneWords(insured.phone_number ?? ''),
  )
  const parts = columnsBlock(
    [policy, member, labelledBlock(sheet, 'Insured', person, width)],
    width,
    20,
  )
  const { guarantor } = insurance
  return guarantor ? stackBlock([parts, payerBlock(sheet, 'Guarantor', guarantor)], 8) : parts
}
