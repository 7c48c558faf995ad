import { describeConnectors, hasManyCollections } from './connector-checks.ts'

describeConnectors((connector) => connector.auth.kind === 'oauth' && hasManyCollections(connector))
