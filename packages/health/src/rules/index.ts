import './rules.tables.ts'

export { createRuleListener } from './create-rule-listener.ts'
export { RULE_EVENTS } from './rules.events.ts'
export { ruleJobs } from './rules.jobs.ts'
export { registerRuleRoutes } from './rules.routes.ts'
