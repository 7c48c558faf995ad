export {
  findUndroppedParts,
  overwriteDeadRows,
  switchLogFile,
} from './clean-up.global.repository.ts'
export { eraseDeletedUsers, erasureJobs } from './erasure.jobs.ts'
export { registerErasureRoutes, registerReceiptKeyRoute } from './erasure.routes.ts'
export { requestErasure } from './erasure.service.ts'
export { SEALED_RECEIPT_KEYS } from './receipt-keys.ts'
