import { campaignRuns } from '../campaign-runs.ts'
import { ALL_TROUBLES, describeConnectors, hasManyCollections } from './connector-checks.ts'

describeConnectors(
  (connector) => connector.auth.kind === 'oauth' && hasManyCollections(connector),
  campaignRuns(2, ALL_TROUBLES),
)
