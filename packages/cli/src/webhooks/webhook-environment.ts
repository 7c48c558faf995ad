import { type Command, Option } from 'commander'
import type { Connection } from '../connection/config.ts'
import {
  ENVIRONMENTS,
  type Environment,
  findOrganizationId,
  findTeamId,
} from '../keys/team-keys.ts'

/** How the environment of a team is named on the command line. */
export interface EnvironmentChoice {
  environment: Environment
  team?: string
  organization?: string
}

/** An environment of a team, found. */
export interface FoundEnvironment {
  teamId: string
  environment: Environment
  /** What the paths of its events and webhooks begin with. */
  path: string
}

/** The options that every command about webhooks has. */
export function addEnvironmentOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--environment <name>', 'of which environment')
        .choices(ENVIRONMENTS)
        .default('sandbox'),
    )
    .option('--team <id>', 'of which team, else the first one of a local server')
    .option('--organization <id>', 'organization, where it cannot be looked up')
}

/** @throws CliError when it takes an option to know the organization or the team */
export async function findEnvironment(
  connection: Connection,
  { environment, team, organization }: EnvironmentChoice,
): Promise<FoundEnvironment> {
  const organizationId = await findOrganizationId(connection, organization)
  const teamId = await findTeamId(connection, organizationId, team)
  const parts = [organizationId, 'team', teamId, environment].map(encodeURIComponent)
  return { teamId, environment, path: `/v1/org/${parts.join('/')}` }
}
