-- Completes the tasks of critical results, of which there are few; only their rows are locked.
update tasks set focus_id = tasks.order_id, user_id = orders.user_id
from orders
where orders.environment_id = tasks.environment_id and orders.id = tasks.order_id
  and tasks.focus_id is null;
