-- A repetition of a message has the sender's id and the same content, because laboratories use one id for
-- several messages. The hash is empty where ids are unique, as in sandboxes.
alter table lab_messages add column content_hash text;
update lab_messages
  set content_hash = case when gateway = 'sandbox' then '' else encode(sha256(content), 'hex') end
  where control_id is not null;
drop index lab_messages_by_control_id;
create unique index lab_messages_once
  on lab_messages (environment_id, gateway, coalesce(control_id, ''), content_hash)
  where content_hash is not null;

-- Numbers by which a laboratory's messages name an order: ours (placer), the laboratory's (filler), and
-- those of paper (requisition).
create table lab_order_numbers (
  environment_id uuid not null,
  gateway text not null,
  kind text not null check (kind in ('placer', 'filler', 'requisition')),
  number text not null,
  order_id uuid not null,
  -- the marker of a test's number; null for a number of the whole order
  marker_id integer,
  created_at timestamptz not null,
  primary key (environment_id, gateway, kind, number),
  foreign key (environment_id, order_id) references orders (environment_id, id) on delete cascade
);
create index lab_order_numbers_by_order on lab_order_numbers (environment_id, order_id);

alter table results
  -- the report as it was received, where the version has results of others too
  add column received jsonb;

alter table orders
  -- codes of a laboratory's refusal, without its text
  add column dispatch_detail text,
  -- a cancellation that the laboratory did not accept
  add column cancel_problem text check (cancel_problem in ('refused', 'by_telephone', 'not_reached')),
  add column cancel_detail text,
  add column cancel_failed_at timestamptz;
create index orders_cancel_at_lab on orders (environment_id, id) where cancel_failed_at is not null;
