import { type Command, Option } from 'commander'
import type { Connection } from '../connection/config.ts'
import { ENVIRONMENTS, type Environment, findOrganizationId, findTeamId } from './team-keys.ts'

/** Options that name the environment of a team. */
export interface EnvironmentChoice {
  environment: Environment
  team?: string
  organization?: string
}

/** The environment of the options. */
export interface FoundEnvironment {
  teamId: string
  environment: Environment
  /** Prefix of the paths of what belongs to it. */
  path: string
}

/** Adds the options that name the environment of a team. */
export function addEnvironmentOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--environment <name>', 'environment of the team')
        .choices(ENVIRONMENTS)
        .default('sandbox'),
    )
    .option('--team <id>', 'team; default: the first one of a local server')
    .option('--organization <id>', 'organization, if it cannot be looked up')
}

/** @throws CliError when an option is needed to find the organization or the team */
export async function findEnvironment(
  connection: Connection,
  { environment, team, organization }: EnvironmentChoice,
): Promise<FoundEnvironment> {
  const organizationId = await findOrganizationId(connection, organization)
  const teamId = await findTeamId(connection, organizationId, team)
  const parts = [organizationId, 'team', teamId, environment].map(encodeURIComponent)
  return { teamId, environment, path: `/v1/org/${parts.join('/')}` }
}
