-- Insurance of orders.

-- What the order's own health_insurance said, without its images
-- (docs/contract/11-orders.md#healthinsurancecreaterequest).
alter table orders add column health_insurance jsonb;

-- Images of insurance cards and signatures, as they came with an order.
create table order_insurance_images (
  environment_id uuid not null,
  order_id uuid not null,
  -- whose they are: they are sealed for this person
  user_id uuid not null,
  sealed bytea not null,
  primary key (environment_id, order_id),
  foreign key (environment_id, order_id) references orders (environment_id, id) on delete cascade
);

-- Where insurers pay for a marker; null is everywhere.
alter table markers add column insurance_states text[];
