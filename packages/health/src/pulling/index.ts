export {
  countConnections,
  measureProviders,
} from './access/budget-figures.global.repository.ts'
export { listBudgets } from './access/budget-figures.ts'
export { appKeyOf } from './access/budgets.ts'
export { historicalDaysFor } from './planning/history-range.ts'
export { startPulling } from './planning/plan-connection.service.ts'
export {
  listPullPreferences,
  type PullPreferences,
  putPullPreferences,
  removePullPreferences,
} from './planning/pull-preferences.repository.ts'
export { triggerHistory } from './planning/trigger-history.service.ts'
export { stopPulling } from './pull-tasks.repository.ts'
export { pullingJobs } from './pulling.jobs.ts'
export { registerPullMetrics } from './pulling.metrics.ts'
export { registerPushRoutes } from './pushes/push.routes.ts'
export { pushPath } from './pushes/push-apps.ts'
export { registerUserRefreshRoutes } from './refresh/user-refresh.routes.ts'
export { type Puller, recoverPulls, startPuller } from './running/puller.ts'
