package io.locket.examples.readme;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ReadmeApplication {

}
