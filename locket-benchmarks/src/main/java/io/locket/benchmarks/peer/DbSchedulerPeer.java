package io.locket.benchmarks.peer;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;

/**
 * The library db-scheduler on H2 in memory, started at once after an enqueue.
 */
final class DbSchedulerPeer extends JobPeer {

	private static final String TABLE = """
			create table scheduled_tasks (
				task_name varchar(100), task_instance varchar(100), task_data blob,
				execution_time timestamp(6) with time zone, picked boolean, picked_by varchar(50),
				last_success timestamp(6) with time zone, last_failure timestamp(6) with time zone,
				consecutive_failures int, last_heartbeat timestamp(6) with time zone, version bigint,
				priority smallint, state varchar(100), primary key (task_name, task_instance));
			create index execution_time_idx on scheduled_tasks (execution_time);
			create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)""";

	private final HikariDataSource dataSource = new HikariDataSource();

	private final OneTimeTask<Void> task = Tasks.oneTime("empty").execute((instance, context) -> body());

	private final Scheduler scheduler;

	private boolean running;

	DbSchedulerPeer() {
		super("db-scheduler, H2 in memory");
		this.dataSource.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		this.dataSource.setMaximumPoolSize(THREADS + 4);
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(TABLE);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		this.scheduler = Scheduler.create(this.dataSource, this.task)
			.threads(THREADS)
			.pollingInterval(Duration.ofMillis(100))
			.enableImmediateExecution()
			.alwaysPersistTimestampInUTC()
			.build();
	}

	@Override
	public boolean usesRedis() {
		return false;
	}

	@Override
	void enqueue(int count) {
		Instant now = Instant.now();
		if (count == 1) {
			this.scheduler.schedule(this.task.instance(UUID.randomUUID().toString()), now);
			return;
		}
		for (int i = 0; i < count; i += 500) {
			List<TaskInstance<?>> batch = new ArrayList<>();
			for (int j = i; j < Math.min(count, i + 500); j++) {
				batch.add(this.task.instance(UUID.randomUUID().toString()));
			}
			this.scheduler.scheduleBatch(batch, now);
		}
	}

	@Override
	void resume() {
		if (this.running) {
			this.scheduler.resume();
			this.scheduler.triggerCheckForDueExecutions();
			return;
		}
		this.scheduler.start();
		this.running = true;
	}

	@Override
	public void rest() {
		this.scheduler.pause();
	}

	@Override
	public void close() {
		this.scheduler.stop();
		this.dataSource.close();
	}

}
