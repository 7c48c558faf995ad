export { countConnections } from './operation.global.repository.ts'
export { registerEnvironmentAuditRoutes, registerOperationRoutes } from './operation.routes.ts'
export { RequestRates } from './request-rates.ts'
