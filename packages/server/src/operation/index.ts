export { registerEnvironmentAuditRoutes, registerOperationRoutes } from './operation.routes.ts'
export { RequestRates } from './request-rates.ts'
