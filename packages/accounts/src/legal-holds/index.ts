export { isHeld, listHeldPeople, lockHolds } from './legal-holds.repository.ts'
export { registerLegalHoldRoutes } from './legal-holds.routes.ts'
export { refuseHeldPerson } from './legal-holds.service.ts'
