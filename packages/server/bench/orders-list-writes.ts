import type pg from 'pg'
import { ENVIRONMENT_ID } from './orders-seed.ts'

/**
 * What a write of one order costs in the database, committed by itself, without waiting for the
 * disk.
 */
export interface WriteCost {
  insertMicroseconds: number
  /** A status, which most indexes hear of. */
  statusMicroseconds: number
  /** A change of nothing that is listed. */
  otherMicroseconds: number
  /** Of the write-ahead log. */
  insertBytes: number
  statusBytes: number
}

const WRITES = 1000

const PROCEDURE = `
  create or replace procedure bench_writes(
    out insert_us float8, out status_us float8, out other_us float8,
    out insert_bytes float8, out status_bytes float8
  ) language plpgsql as $$
  declare
    ids uuid[] := array(select gen_random_uuid() from generate_series(1, ${WRITES}));
    example orders%rowtype;
    started timestamptz;
    position pg_lsn;
  begin
    select * into example from orders where environment_id = '${ENVIRONMENT_ID}'
      and activate_by is null limit 1;
    example.last_status := 'ordered';
    example.interpretation := null;
    started := clock_timestamp();
    position := pg_current_wal_insert_lsn();
    for i in 1..${WRITES} loop
      example.id := ids[i];
      example.details_id := ids[i];
      example.patient_name := 'patient ' || i;
      example.shipping_recipient_name := example.patient_name;
      example.created_at := clock_timestamp();
      example.updated_at := example.created_at;
      insert into orders select example.*;
      commit;
    end loop;
    insert_us := extract(epoch from clock_timestamp() - started) * 1e6 / ${WRITES};
    insert_bytes := pg_wal_lsn_diff(pg_current_wal_insert_lsn(), position) / ${WRITES};
    started := clock_timestamp();
    position := pg_current_wal_insert_lsn();
    for i in 1..${WRITES} loop
      update orders set last_status = 'requisition_created', last_status_at = clock_timestamp(),
        updated_at = clock_timestamp() + interval '1 day'
      where environment_id = '${ENVIRONMENT_ID}' and id = ids[i];
      commit;
    end loop;
    status_us := extract(epoch from clock_timestamp() - started) * 1e6 / ${WRITES};
    status_bytes := pg_wal_lsn_diff(pg_current_wal_insert_lsn(), position) / ${WRITES};
    started := clock_timestamp();
    for i in 1..${WRITES} loop
      update orders set requisition_at = clock_timestamp()
      where environment_id = '${ENVIRONMENT_ID}' and id = ids[i];
      commit;
    end loop;
    other_us := extract(epoch from clock_timestamp() - started) * 1e6 / ${WRITES};
    for i in 1..${WRITES} loop
      delete from orders where environment_id = '${ENVIRONMENT_ID}' and id = ids[i];
      commit;
    end loop;
  end $$`

/** The cost with all that the list needs, and without its indexes, which stay away. */
export async function measureWrites(
  pool: pg.Pool,
  rounds = 5,
): Promise<{ listed: WriteCost; bare: WriteCost }> {
  await pool.query(PROCEDURE)
  const listed = await bestOf(pool, rounds)
  await pool.query(`
    drop index orders_by_creation, orders_by_patient_name, orders_by_name_part, orders_by_state,
      orders_by_status, orders_by_update, orders_by_activation, orders_by_birth_date`)
  const bare = await bestOf(pool, rounds)
  return { listed, bare }
}

/** The least of some rounds, because whatever else runs only adds. */
async function bestOf(pool: pg.Pool, rounds: number): Promise<WriteCost> {
  const client = await pool.connect()
  try {
    await client.query('set synchronous_commit = off')
    const results: Record<string, number>[] = []
    for (let round = 0; round < rounds + 1; round++) {
      const { rows } = await client.query('call bench_writes(null, null, null, null, null)')
      if (round > 0) results.push(rows[0])
    }
    const least = (name: string) => Math.min(...results.map((row) => row[name] ?? Number.NaN))
    return {
      insertMicroseconds: least('insert_us'),
      statusMicroseconds: least('status_us'),
      otherMicroseconds: least('other_us'),
      insertBytes: least('insert_bytes'),
      statusBytes: least('status_bytes'),
    }
  } finally {
    client.release(true)
  }
}
