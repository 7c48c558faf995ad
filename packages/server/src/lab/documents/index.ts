export type * from './document-inputs.ts'
export { joinPdfs, UnreadablePdf } from './join-pdfs.ts'
export { renderAbn } from './render-abn.ts'
export { renderCollectionInstructions } from './render-collection-instructions.ts'
export { renderLabels } from './render-labels.ts'
export { renderRequisition } from './render-requisition.ts'
export { renderResultReport } from './render-result-report.ts'
export {
  readSignatureImage,
  type SignatureImage,
  type SignatureImageProblem,
} from './signature-image.ts'
