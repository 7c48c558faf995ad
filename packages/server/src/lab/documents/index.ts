import type {
  AbnInput,
  CollectionInstructionsInput,
  LabelsInput,
  RequisitionInput,
  ResultReportInput,
} from './document-inputs.ts'

export type * from './document-inputs.ts'
export { joinPdfs, UnreadablePdf } from './join-pdfs.ts'
export {
  readSignatureImage,
  type SignatureImage,
  type SignatureImageProblem,
} from './signature-image.ts'

// Each is loaded with its first document: what writes pages, typefaces and barcodes takes 30 MB.

export const drawAbn = async (input: AbnInput): Promise<Buffer> =>
  (await import('./draw-abn.ts')).drawAbn(input)

export const drawCollectionInstructions = async (
  input: CollectionInstructionsInput,
): Promise<Buffer> =>
  (await import('./draw-collection-instructions.ts')).drawCollectionInstructions(input)

export const drawLabels = async (input: LabelsInput): Promise<Buffer> =>
  (await import('./draw-labels.ts')).drawLabels(input)

export const drawRequisition = async (input: RequisitionInput): Promise<Buffer> =>
  (await import('./draw-requisition.ts')).drawRequisition(input)

export const drawResultReport = async (input: ResultReportInput): Promise<Buffer> =>
  (await import('./draw-result-report.ts')).drawResultReport(input)
