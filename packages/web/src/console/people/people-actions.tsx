import type { Environment } from '../api/environment.ts'
import { type BulkAction, runBatch } from '../components/list/bulk-bar.tsx'

/** What can be done with all chosen people. */
export const peopleActions = (environment: Environment): BulkAction[] => [
  {
    title: 'Refresh',
    permission: 'connections:write',
    question: (
      <p>
        Salus requests the newest data from the providers of these people, at most eight times an
        hour for each. They arrive in the background.
      </p>
    ),
    run: runBatch(environment, 'refreshUser'),
  },
  {
    title: 'Export data',
    permission: 'rights:write',
    question: (
      <p>
        An archive with all data of each person is made in the background. You find it under Data
        rights of the person, for a week.
      </p>
    ),
    run: runBatch(environment, 'exportPerson', { format: 'json' }),
  },
  {
    title: 'Delete people',
    permission: 'people:write',
    isTyped: true,
    question: (
      <p>
        They are hidden at once, with orders, results and events, and their connections end. All of
        it is erased after seven days; until then <code>POST /v2/user/undo_delete</code> brings each
        person back, without connections. People under a legal hold are not deleted.
      </p>
    ),
    run: runBatch(environment, 'deleteUser'),
  },
]
