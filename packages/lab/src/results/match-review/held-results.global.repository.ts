import type { TaskReasons } from '@salus/accounts/tasks'
import { sql } from 'kysely'
import { PATIENT_DIFFERS, REVIEW_TASKS } from './publish-review.ts'

/** Held results that wait for their team. */
export const REVIEW_REASONS: TaskReasons = {
  kinds: REVIEW_TASKS,
  list: () => sql`select environment_id, id as focus_id, 'unmatched_result' as focus_type,
      null::uuid as user_id, updated_at as since,
      case when decision_code = any(${[...PATIENT_DIFFERS]}::text[])
        then 'patient_mismatch' else 'unmatched_result' end as kind
    from unmatched_results where status = 'pending_customer_review'`,
}
