export { isHeld, listHeldPeople, lockHolds } from './legal-holds.repository.ts'
export { registerLegalHoldRoutes } from './legal-holds.routes.ts'
export { refuseHeld } from './legal-holds.service.ts'
