export { type OrderingOptions, registerOrderingRoutes } from './ordering.routes.ts'
