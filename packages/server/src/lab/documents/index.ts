export type * from './document-inputs.ts'
export { drawAbn } from './draw-abn.ts'
export { drawCollectionInstructions } from './draw-collection-instructions.ts'
export { drawLabels } from './draw-labels.ts'
export { drawRequisition } from './draw-requisition.ts'
export { drawResultReport } from './draw-result-report.ts'
export { joinPdfs, UnreadablePdf } from './join-pdfs.ts'
export {
  readSignatureImage,
  type SignatureImage,
  type SignatureImageProblem,
} from './signature-image.ts'
