import { campaignRuns } from '../campaign-runs.ts'
import { ALL_TROUBLES, describeConnectors } from './connector-checks.ts'

describeConnectors(({ auth }) => auth.kind !== 'oauth', campaignRuns(2, ALL_TROUBLES))
