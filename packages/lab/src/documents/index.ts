import type {
  AbnInput,
  CollectionInstructionsInput,
  LabelsInput,
  RequisitionInput,
  ResultDocumentInput,
} from './document-inputs.ts'

export * from './document-inputs.ts'
export { joinPdfs, UnreadablePdf } from './join-pdfs.ts'
export { readSignatureImage } from './signature-image.ts'

// Each module is loaded with its first document, because pdfkit, typefaces and barcodes take 30 MB.

/** Renders an advance beneficiary notice as PDF; for Medicare on the form CMS-R-131. */
export const renderAbn = async (input: AbnInput): Promise<Buffer> =>
  input.isMedicare
    ? (await import('./render-medicare-abn.ts')).renderMedicareAbn(input)
    : (await import('./render-abn.ts')).renderAbn(input)

/** Renders instructions for the patient before, during and after the collection as PDF. */
export const renderCollectionInstructions = async (
  input: CollectionInstructionsInput,
): Promise<Buffer> =>
  (await import('./render-collection-instructions.ts')).renderCollectionInstructions(input)

/** Renders labels for tubes, one on each page, as PDF. */
export const renderLabels = async (input: LabelsInput): Promise<Buffer> =>
  (await import('./render-labels.ts')).renderLabels(input)

/** Renders a requisition on US letter as PDF. */
export const renderRequisition = async (input: RequisitionInput): Promise<Buffer> =>
  (await import('./render-requisition.ts')).renderRequisition(input)

/** Renders the results of one specimen as PDF, with times at their own offsets. */
export const renderResultDocument = async (input: ResultDocumentInput): Promise<Buffer> =>
  (await import('./render-result-document.ts')).renderResultDocument(input)
